// What all programs of a shot know; filled by gl_uniforms.py.
layout(std140) uniform Shot {
    mat4 clip_from_world;
    mat4 world_from_clip;   // rays of the sky: clip space at any depth
    vec4 eye;               // w: haze per metre
    vec4 ambient;
    vec4 sky;
    vec4 horizon;
    vec4 gains;             // exposure times balance; w: vignetting over the corner's distance squared
    vec4 film;              // noise, 4 grain, centre of the lens in pixels
    uvec4 keys;             // of the picture's noise; pixels of a grain
    vec4 towards[8];        // to each light; w: its kind
    vec4 light_colour[8];        // colour; w: range
    vec4 light_place[8];
    mat4 shadow_frame[4];   // light's axes from the world, depth from 0 to 1
    vec4 shadow_eye[4];     // the camera in the light's frame; z: how far the largest square reaches
    vec4 shadow_level[24];  // place in the atlas, scale to it, how far from the camera it holds
};
