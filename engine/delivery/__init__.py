"""Events on their way out: webhooks, the outbox, its order, retries and signatures."""
