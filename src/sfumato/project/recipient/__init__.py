"""Who receives the data: questions, answers, and the grade that follows."""
