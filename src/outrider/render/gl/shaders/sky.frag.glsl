in vec3 v_ray;
out vec4 colour;

void main() {
    vec3 ray = normalize(v_ray);
    float rise = 1.0 - max(0.0, ray.z);
    rise *= rise;
    vec3 light = mix(SKY, HORIZON, rise * rise);
#ifdef GLOW
    light += glow_at(ray);
#endif
    ADD_DISCS
#ifdef FINISH
    colour = vec4(developed(light, gl_FragCoord.xy), 1.0);
#else
    colour = vec4(light, 1.0);
#endif
}
