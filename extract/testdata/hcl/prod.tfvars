region = "us-east-1"
sizes = {
  web = "large"
}
names = ["a", "b"]
