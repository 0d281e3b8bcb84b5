"""What goes over the wire: strict schemas for requests, and the documented shapes of answers."""
