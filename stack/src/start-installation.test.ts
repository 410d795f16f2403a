import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstAdmin, seedAll, type SeedResult } from './seeds/seed.ts'
import { answersOk, waitUntil } from './services/wait-until.ts'
import { startInstallation, type Installation } from './start-installation.ts'

let installation: Installation<SeedResult>

beforeAll(async () => {
  installation = await startInstallation({ postgres: { fast: true }, engineNodes: 0, seed: seedAll })
}, 120_000)

afterAll(() => installation.stop(), 60_000)

const health = (url: string): Promise<boolean> => answersOk(`${url}/healthz`)

test('an api serves the seeded database, and starts again on the same port after a kill', async () => {
  const api = await installation.startApi()
  expect(api.url).toBe(installation.apiUrl)
  const { orgId, apiKey } = firstAdmin(installation.seeded)
  const response = await fetch(`${api.url}/v1/organizations/${orgId}`, {
    headers: { authorization: 'NONE', 'x-api-key': apiKey },
  })
  expect(response.status).toBe(200)
  await api.kill()
  expect(await health(api.url)).toBe(false)
  await api.start()
  expect(await health(api.url)).toBe(true)
}, 120_000)

test('a second api has a port of its own, and an exit that nobody caused is reported', async () => {
  const second = await installation.startApi()
  expect(second.url).not.toBe(installation.apiUrl)
  expect(installation.unexpectedExits).toEqual([])
  second.program.signal('SIGKILL')
  await waitUntil(() => installation.unexpectedExits.length > 0, { what: 'the report' })
  expect(installation.unexpectedExits[0]).toContain(`${second.name} exited unexpectedly: SIGKILL`)
}, 120_000)

test('the handle of a service that was not started throws', () => {
  expect(() => installation.mailbox).toThrow('this installation was started without a mailbox')
})

test('a failed seed stops everything that was started', async () => {
  let simulator = ''
  const starting = startInstallation({
    postgres: { fast: true },
    engineNodes: 0,
    simulator: { runsAs: 'process' },
    seed: async (_deps, simulatorUrl) => {
      simulator = simulatorUrl
      expect(await answersOk(`${simulator}/_health`)).toBe(true)
      throw new Error('the seed failed')
    },
  })
  await expect(starting).rejects.toThrow('the seed failed')
  expect(await answersOk(`${simulator}/_health`)).toBe(false)
}, 120_000)
