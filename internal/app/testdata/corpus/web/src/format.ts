/** Shows cents as an amount of money. */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2) + " EUR";
}

export const formatDue = (due: string): string => new Date(due).toLocaleDateString("en-GB");
