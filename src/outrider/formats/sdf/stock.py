"""Gazebo's ground plane and sun: nearly every world includes them, and few bring them along."""

from __future__ import annotations

import re

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths

_NAME = re.compile(r"^(?:model://|https?://fuel\.[^/]+/.*/models/)([^/]+)/?$", re.IGNORECASE)
_PLANE = "<geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>"
_STOCK = {
    "ground_plane": f"""<sdf version='1.6'><model name='ground_plane'><static>true</static>
<link name='link'>
<collision name='collision'>{_PLANE}
<surface><friction><ode><mu>1</mu><mu2>1</mu2></ode></friction></surface></collision>
<visual name='visual'>{_PLANE}
<material><script><name>Gazebo/Grey</name></script></material></visual>
</link></model></sdf>""",
    "sun": """<sdf version='1.6'><light type='directional' name='sun'>
<pose>0 0 10 0 0 0</pose><diffuse>0.8 0.8 0.8 1</diffuse><direction>-0.5 0.1 -0.9</direction>
<cast_shadows>true</cast_shadows></light></sdf>""",
}


def stock_model(assets: AssetPaths, uri: str) -> str | None:
    """Return the text of a model that comes with Gazebo, unless a folder of that name is found."""
    found = _NAME.match(uri)
    text = _STOCK.get(found.group(1).lower().replace("%20", "_").replace(" ", "_") if found else "")
    if text is None:
        return None
    try:
        assets.find_folder(uri)
    except FormatError:
        return text
    return None
