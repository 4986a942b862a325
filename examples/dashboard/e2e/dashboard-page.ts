import { expect, type Locator, type Page } from '@playwright/test';

/** The dashboard as a user sees it. */
export class DashboardPage {
  readonly alert: Locator;
  readonly status: Locator;
  readonly requests: Locator;

  constructor(private readonly page: Page) {
    this.alert = page.getByRole('alert');
    this.status = page.getByRole('status');
    this.requests = page.getByRole('region', { name: 'Requests' });
  }

  async open(): Promise<void> {
    await this.page.goto('/');
    await expect(this.page.getByRole('table')).toBeVisible();
  }

  row(name: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByRole('button', { name, exact: true }) });
  }

  async choose(name: string): Promise<void> {
    await this.row(name).getByRole('button').click();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Replaces a part of the manifest that is shown, and applies it. */
  async edit(from: string, to: string): Promise<void> {
    const editor = this.page.getByRole('textbox', { name: 'YAML' });
    const text = await editor.inputValue();
    expect(text).toContain(from);
    await editor.fill(text.replace(from, to));
    await this.press('Apply');
  }
}
