% Octave (with the package instrument-control): drives the AutoMiny until something is near,
% and says what its LiDAR sees. rosbridge on a plain socket is one JSON object after the other.
%
%   outrider run autominy-lab --robot autominy --bridge rosbridge:tcp_port=9091
%   octave drive_to_wall.m 9091
1;
pkg load instrument-control

function send(link, message)
  write(link, uint8([jsonencode(message) "\n"]));
end

function message = receive(link)
  % The next object; each comes on a line of its own.
  persistent buffer = "";
  while isempty(strfind(buffer, "\n"))
    waiting = link.NumBytesAvailable;
    if waiting > 0
      buffer = [buffer char(read(link, waiting))];
    else
      pause(0.005);
    end
  end
  [line, buffer] = strtok(buffer, "\n");
  buffer = buffer(2:end);
  message = jsondecode(line);
end

function drive(link, speed)
  command.linear = struct("x", speed, "y", 0, "z", 0);
  command.angular = struct("x", 0, "y", 0, "z", 0);
  send(link, struct("op", "publish", "topic", "/cmd_vel", "msg", command));
end

port = 9091;
if numel(argv()) > 0
  port = str2double(argv(){end});
end
link = tcpclient("127.0.0.1", port);
send(link, struct("op", "subscribe", "topic", "/sensors/rplidar/scan", ...
                  "type", "sensor_msgs/LaserScan", "throttle_rate", 50, "queue_length", 1));
scans = 0;
nearest = Inf;
while nearest > 1.0 && scans < 1000
  message = receive(link);
  if strcmp(message.op, "publish")
    ranges = message.msg.ranges;  % what is too far comes as null, and is NaN here
    nearest = min([ranges(ranges >= message.msg.range_min); Inf]);
    scans += 1;
    drive(link, 0.5);
  end
end
drive(link, 0);
printf("stopped %.2f m before the nearest thing after %d scans\n", nearest, scans);
pause(0.2);  % so that the last command goes out
clear link
exit(nearest > 1.0);
