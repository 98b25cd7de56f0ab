"""Small servers on loopback that stand for the services AnswerDesk talks to."""
