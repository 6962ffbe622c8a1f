"""Reading and writing webhooks and deliveries. What writes runs inside the writer's transaction."""
