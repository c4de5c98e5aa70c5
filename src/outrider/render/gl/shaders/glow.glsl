// A glow in the sky around the sun, where weather has one.
#ifdef GLOW
vec3 glow_at(vec3 ray) {
    float near = max(dot(ray, GLOW_TOWARDS), 0.0), low = 1.0 - max(ray.z, 0.0);
    float wide = near * near * near * near, tight = wide * wide;
    tight *= tight;
    tight *= tight;
    tight *= tight;
    return GLOW_COLOUR * ((0.6 * wide + tight) * low * low);
}
#endif
