import React, { useState } from "react";

interface Props { title: string }

/** Shows a panel. */
export const Panel: React.FC<Props> = ({ title }) => {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <Card onClick={toggle}><Header.Title text={title} /></Card>;
};

export function Plain() {
  return <p>plain</p>;
}
