import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { recordQueueSamples } from '../../../shared/store/history/record-queue.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { useConsole } from '../env/console-world.ts';
import { seenAtOf } from '../env/seen-at.ts';
import { transmit } from '../env/transmissions.ts';

const world = useConsole();

/** One of the numbers at the top, with its label. */
function figure(page: Page, label: string) {
  return page.locator('.figures > div', { hasText: label });
}

/** As a worker does once a minute. */
function recordSample(at: Date): Promise<void> {
  const backlog = { waiting: 7, oldestSeconds: 90, parked: 0, settledPerSecond: 1, workers: 1 };
  return recordQueueSamples(world.stack.api.context.db, [{ at, backlog, feedLagSeconds: 0.5 }]);
}

const receive = () => transmit(world.stack, 'alpha', makeBody(), 'respond-async');

it('charts show the history of a period, and the same numbers as a table', async () => {
  const auditor = await world.user('AUDITOR');
  await transmit(world.stack, 'alpha', makeBody());
  await transmit(world.stack, 'bravo', makeBody({ issuingInsurerCode: 'INS-BRAVO' }));
  await transmit(world.stack, 'alpha', { ...makeBody(), vehicles: [] });
  await world.stack.stopWorkers();
  await receive();
  await recordSample(new Date(Date.now() - 3_600_000));
  const { page } = await world.visitAs(auditor, '/console/queue?by=organization');
  await page.getByRole('img', { name: 'Chart: Parked transmissions.' }).waitFor();
  await page.locator('canvas').nth(6).waitFor();
  const received = page.locator('.chart', { hasText: 'Received per hour' });
  await received.getByText('INS-BRAVO').waitFor();

  await received.getByText('Data as a table').click();
  // An hour may have begun in between.
  await received.getByRole('cell').first().waitFor();
  const counts = (await received.getByRole('cell').allTextContents()).map(Number);
  const sumOf = (column: number) =>
    counts.filter((_, index) => index % 2 === column).reduce((sum, count) => sum + count, 0);
  expect([sumOf(0), sumOf(1)]).toEqual([3, 1]);
  const depth = page.locator('.chart', { hasText: 'Transmissions in the queue' });
  await depth.getByText('Data as a table').click();
  await depth.getByRole('row', { name: / 7 7$/ }).waitFor();

  const days = page.waitForResponse((response) => /queue\/history.*step=day/.test(response.url()));
  await page.getByLabel('Period').selectOption('90d');
  expect((await days).status()).toBe(200);
  await page.getByLabel('By', { exact: true }).selectOption('status');
  await page
    .locator('.chart', { hasText: 'Received per day' })
    .locator('bdi', { hasText: 'Accepted' })
    .waitFor();
  expect(new URL(page.url()).search).toBe('?by=status&period=90d');
});

it('the queue is read every 5 seconds unless it is paused, and that extends no session', async () => {
  const auditor = await world.user('AUDITOR');
  await world.stack.stopWorkers();
  await recordSample(new Date());
  const { page } = await world.visit();
  await page.clock.install();
  await page.goto('/console/queue');
  await world.signIn(page, auditor);
  const depth = figure(page, 'In the queue');
  await depth.waitFor();
  const before = Number(await depth.locator('.figure-value').textContent());
  // The lag of the feed is read once more after the queue.
  await page.getByText('Sampled').waitFor();
  const seenAt = await seenAtOf(world.stack, auditor.userId);
  world.clock.advance(60_000);

  await receive();
  await page.clock.fastForward(6_000);
  await depth.getByText(String(before + 1), { exact: true }).waitFor();
  const history = page.waitForResponse((response) => response.url().includes('/queue/history'));
  await page.clock.fastForward(61_000);
  expect((await history).status()).toBe(200);

  await page.getByRole('button', { name: 'Pause' }).click();
  await receive();
  const polled = jest.fn();
  page.on('request', polled);
  await page.clock.fastForward(90_000);
  await page.clock.fastForward(90_000);
  expect(polled).not.toHaveBeenCalled();
  expect(await depth.locator('.figure-value').textContent()).toBe(String(before + 1));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.clock.fastForward(6_000);
  await depth.getByText(String(before + 2), { exact: true }).waitFor();
  expect(await seenAtOf(world.stack, auditor.userId)).toEqual(seenAt);
});

it('without a live worker the page says so', async () => {
  const auditor = await world.user('AUDITOR');
  await world.stack.stopWorkers();
  const { db } = world.stack.api.context;
  // The clock of the database decides, which no test moves.
  const seenAt = new Date(Date.now() - 60_000);
  await db.workerProcess.deleteMany();
  await db.workerProcess.create({ data: { id: randomUUID(), startedAt: seenAt, seenAt } });
  const { page } = await world.visitAs(auditor, '/console/queue');
  await page.getByText('No worker is alive.').waitFor();
  await page.getByRole('row', { name: 'No report' }).first().waitFor();
});
