terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  region = var.region
}

# Where everything is made.
variable "region" {
  type        = string
  description = "AWS region"
  default     = "eu-central-1"
}

locals {
  name = "shop-${var.region}"
  tags = {
    Project = "shop"
  }
}

data "aws_ami" "linux" {
  most_recent = true
  filter {
    name   = "name"
    values = ["al2023-*"]
  }
}

/* The web server. */
resource "aws_instance" "web" {
  ami           = data.aws_ami.linux.id
  instance_type = "t3.micro"
  subnet_id     = module.network.subnets[0]
  tags          = merge(local.tags, { Name = local.name })

  lifecycle {
    create_before_destroy = true
  }
}

module "network" {
  source = "./modules/network"
  cidr   = "10.0.0.0/16"
}

output "address" {
  value = aws_instance.web.public_ip
}
