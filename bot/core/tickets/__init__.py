"""What is done to tickets, and what people are shown of them: values that channels and desks share."""
