"""From a query to pages."""
