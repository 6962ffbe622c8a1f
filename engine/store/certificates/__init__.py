"""The certificate authority of a workspace and the certificates of its endpoint."""
