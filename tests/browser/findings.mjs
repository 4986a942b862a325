// What axe finds in a page, by WCAG 2.2 AA and its best practices.
import axe from 'axe-core';

const kRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the findings in the page, one text each. */
export async function findings(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules }), kRules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`));
}
