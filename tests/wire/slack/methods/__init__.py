"""The methods of the Web API, by what they are about."""
