"""The shared answer core: rules and steps, free of platforms, models and databases."""
