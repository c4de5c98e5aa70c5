// A ROS 1 node in C++: drives the AutoMiny until something is near, and says what its LiDAR sees.
//
//   outrider run autominy-lab --robot autominy --bridge ros1:master=own
//   g++ drive_to_wall.cpp -o drive_to_wall $(pkg-config --cflags --libs roscpp)
//   ROS_MASTER_URI=http://localhost:11311 ./drive_to_wall
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <geometry_msgs/Twist.h>
#include <ros/ros.h>
#include <sensor_msgs/LaserScan.h>

namespace {

const double kNear = 1.0;      // metres at which to stop
const double kSpeed = 0.5;     // metres per second
const double kPatience = 60.0; // simulated seconds

double nearest = INFINITY;
int scans = 0;

void look(const sensor_msgs::LaserScan::ConstPtr& scan) {
  ++scans;
  nearest = INFINITY;
  for (float range : scan->ranges)
    if (std::isfinite(range) && range >= scan->range_min) nearest = std::min<double>(nearest, range);
}

}  // namespace

int main(int argc, char** argv) {
  ros::init(argc, argv, "drive_to_wall");
  ros::NodeHandle node;
  ros::Subscriber scan = node.subscribe("/sensors/rplidar/scan", 1, look);
  ros::Publisher drive = node.advertise<geometry_msgs::Twist>("/cmd_vel", 1);

  ros::Rate rate(20);  // simulated time: /use_sim_time is set
  const ros::Time start = ros::Time::now();
  while (ros::ok() && nearest > kNear && (ros::Time::now() - start).toSec() < kPatience) {
    geometry_msgs::Twist command;
    command.linear.x = scans > 0 ? kSpeed : 0.0;
    drive.publish(command);
    ros::spinOnce();
    rate.sleep();
  }
  drive.publish(geometry_msgs::Twist());  // stop
  std::printf("stopped %.2f m before the nearest thing after %d scans\n", nearest, scans);
  ros::Duration(0.2).sleep();  // so that the last command goes out
  return nearest <= kNear ? 0 : 1;
}
