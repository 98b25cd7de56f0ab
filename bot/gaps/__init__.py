"""What the documents lack, told by the questions that they answered badly or not at all."""
