"""What each `answerdesk` command does; imported only when that command runs."""
