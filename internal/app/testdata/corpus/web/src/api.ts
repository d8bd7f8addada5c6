export interface LoanView {
  isbn: string;
  member: string;
  due: string;
}

/** Talks to the server and turns its errors into exceptions. */
export class ShelfClient {
  constructor(private readonly base: string) {}

  async lendBook(isbn: string, member: string): Promise<LoanView> {
    const response = await fetch(`${this.base}/loans`, {
      method: "POST",
      body: JSON.stringify({ isbn, member }),
    });
    if (!response.ok) {
      throw new Error(`lending failed: ${response.status}`);
    }
    return response.json();
  }

  async returnBook(isbn: string): Promise<number> {
    const response = await fetch(`${this.base}/loans/${isbn}`, { method: "DELETE" });
    return (await response.json()).fee_cents;
  }
}
