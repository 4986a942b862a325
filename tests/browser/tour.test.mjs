// The tour of API Concepts in the page: a proof, its checks, the languages, progress over a reload, an exercise.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actions, kTimeout, playground } from './page.mjs';

const openTour = async (page) => {
  await page.getByRole('link', { name: 'API Concepts' }).click();
  await page.locator('.tour').waitFor(kTimeout);
};
const section = (page, name) => page.getByRole('navigation', { name: /Sections|Розділи/ }).getByRole('button', { name }).click();

describe('the tour', () => {
  const shown = playground();

  test('proves a statement and shows the requests, the answers and what was checked', async () => {
    const { page } = shown;
    await openTour(page);
    const statement = page.locator('#overview-1');
    await statement.getByRole('button', { name: 'Prove it' }).click();
    await statement.getByText('data.k is "2"').waitFor(kTimeout);
    await statement.getByRole('button', { name: 'Prove it again' }).waitFor(kTimeout);
    assert.equal(await statement.locator('.step').count(), 6);
    assert.equal(await statement.locator('.check.bad').count(), 0);
    await statement.locator('summary').nth(5).click();
    await statement.getByText('"configmaps \\"a\\" not found"').waitFor(kTimeout);
    await page.getByText('1 of 267 proved').waitFor(kTimeout);
  });

  test('keeps the language and the progress over a reload', async () => {
    const { page } = shown;
    await openTour(page);
    await section(page, /Resource versions/);
    await page.locator('#rv-6').getByRole('button').click();
    await page.getByText('1 of 267 proved').waitFor(kTimeout);
    await page.getByRole('button', { name: 'Українська' }).click();
    await page.getByRole('heading', { name: 'Версії ресурсів' }).waitFor(kTimeout);
    await page.reload();
    await page.getByText('доведено 1 з 267').waitFor(kTimeout);
    await section(page, /Версії ресурсів/);
    await page.locator('#rv-6').getByRole('img', { name: 'правильно' }).waitFor(kTimeout);
    await page.getByRole('button', { name: 'Забути поступ' }).click();
    await page.getByText('доведено 0 з 267').waitFor(kTimeout);
  });

  test('runs a whole section, one proof after the other', async () => {
    const { page } = shown;
    await openTour(page);
    await section(page, /^Collections/);
    await page.getByRole('button', { name: 'Prove the whole section' }).click();
    await page.getByText('5 of 267 proved').waitFor(kTimeout);
    assert.equal(await page.locator('.mark.bad').count(), 0);
  });

  test('has exercises that say what is missing until they are solved', async () => {
    const { page } = shown;
    const { button } = actions(page);
    await openTour(page);
    await section(page, /Resources as Tables/);
    const exercise = page.getByRole('region', { name: 'See what kubectl prints' });
    await exercise.getByRole('button', { name: 'Start' }).click();
    await exercise.getByLabel('Path and query').fill('/api/v1/namespaces/t/pods');
    await exercise.getByRole('button', { name: 'Send' }).click();
    await exercise.locator('.tour-exchange').waitFor(kTimeout);
    await exercise.getByRole('button', { name: 'Check' }).click();
    await exercise.getByText('Not yet. Still missing: GET /api/v1/namespaces/t/pods').waitFor(kTimeout);
    await exercise.getByLabel('Accept').selectOption('application/json;as=Table;g=meta.k8s.io;v=v1');
    await exercise.getByRole('button', { name: 'Send' }).click();
    await exercise.locator('.tour-exchange').nth(1).waitFor(kTimeout);
    await exercise.getByRole('button', { name: 'Check' }).click();
    await exercise.getByText('Solved.').waitFor(kTimeout);
    assert.equal(await button('Start again').count(), 1);
  });
});
