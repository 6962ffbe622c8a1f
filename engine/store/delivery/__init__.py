"""Reading and writing webhooks and deliveries. Functions that write run inside the writer's transaction."""
