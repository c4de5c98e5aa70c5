// What changes from shot to shot, for all programs; filled by gl_uniforms.py. Few of it is read in
// every pixel: that costs a processor more than arithmetic, so a world's light is in gl_constants.py.
layout(std140) uniform Shot {
    mat4 clip_from_world;
    mat4 world_from_clip;   // rays of the sky: clip space at any depth
    vec4 eye;               // w: what coarser versions may be off, per metre from the camera
    vec4 pinhole;           // focal lengths and centre in pixels
    vec4 gains;             // exposure times balance; w: vignetting over the corner's distance squared
    vec4 film;              // noise, 4 grain, centre of the lens in pixels
    uvec4 keys;             // of the picture's noise; pixels of a grain; first column
    mat4 shadow_frame[4];   // light's axes from the world, metres from the camera, or the whole map;
                            // depth from 0 to 1; first w: depth per metre
    vec4 shadow_level[28];  // where the camera is in each square of the atlas
};
