"""The geometry that wheels, rays and images share."""
