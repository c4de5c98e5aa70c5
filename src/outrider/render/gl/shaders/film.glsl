// From the light on the sensor to the picture: develop.py is the reference, hash_noise.py the noise.
#ifdef FINISH
flat in vec4 v_gains;
flat in uint v_key;
flat in float v_left;

uint pcg(uint v) {
    uint s = v * 747796405u + 2891336453u;
    uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (w >> 22u) ^ w;
}

uint pixel_key(uvec2 pixel) { return pcg(pixel.x + pcg(pixel.y + v_key)); }

float normal_of(uint word) {
    uint pairs = (word & 0xff00ffu) + ((word >> 8u) & 0xff00ffu);
    float x = float((pairs & 0xffffu) + (pairs >> 16u)) - 510.0;
    return x * fma(x * x, NOISE_CUBIC, NOISE_LINEAR);
}

// sRGB of linear light, to a tenth of a step of 255: roots are cheaper than powers on a processor.
vec3 encoded(vec3 value) {
    vec3 root = sqrt(value);
    vec3 bright = fma(root, vec3(-0.7085523), vec3(2.6273725));
    bright = fma(root, bright, vec3(-3.9939606));
    bright = fma(root, bright, vec3(3.2772983));
    bright = fma(root, bright, vec3(-1.7110295));
    bright = fma(root, bright, vec3(1.5498063));
    bright = fma(root, bright, vec3(-0.0411169));
    return mix(bright, value * 12.92, lessThan(value, vec3(0.0031308)));
}

vec3 developed(vec3 linear, vec2 at) {
    at.x -= v_left;
    vec3 value = linear * v_gains.rgb;
#ifdef VIGNETTING
    vec2 off = floor(at) - film.zw;
    value *= 1.0 - gains.w * dot(off, off);
#endif
    value = clamp(value, 0.0, 1.0);
    value = encoded(value);
#ifdef GRAIN
    value += film.y * normal_of(pcg(pcg(pcg(pixel_key(uvec2(at) / keys.y))))) * value * (1.0 - value);
#endif
#ifdef NOISE
    uint red = pixel_key(uvec2(at)), green = pcg(red), blue = pcg(green);
    value += v_gains.w * vec3(normal_of(red), normal_of(green), normal_of(blue));
#endif
    return value;
}
#endif
