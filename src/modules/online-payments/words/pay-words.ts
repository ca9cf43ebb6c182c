interface Page {
  title: string
  text: string
}

/** What the page to pay says. */
export interface PayWords {
  /** What is paid, on the provider's page. */
  paid(number: string): string
  due: { title(number: string): string; text(amount: string, date: string): string; button: string }
  going: Page & { button: string }
  done: { title: string; text(number: string): string }
  settled: { title: string; text(number: string): string }
  void: { title: string; text(number: string): string }
  waiting: Page
  off: Page
  failed: Page
}
