import { beforeEach, describe, expect, it } from 'vitest'
import { startFakeYente } from '../../domains/compliance/sanctions/yente/testing/fake-yente.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { useStarted } from '../../../test/app/use-started.ts'
import type { Config } from '../config.ts'
import { checkSanctions } from './check-sanctions.ts'
import type { Finding } from './record.ts'

const t = useApp()
const yente = useStarted(startFakeYente, (fake) => fake.close())
const hourMs = 60 * 60_000

const index = (exportedAt: Date, name = 'sanctions'): void => {
  const version = exportedAt.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  yente.datasets = [{ name, version, index_version: version }]
}
const examine = (change: Partial<Config> = {}): Promise<Finding[]> =>
  checkSanctions({ config: { ...t.config, SANCTIONS_YENTE_URL: yente.url, ...change }, deps: t.deps })

beforeEach(() => {
  index(new Date())
  yente.search = 'answers'
})

it('reports nothing without a yente server', async () => {
  expect(await checkSanctions({ config: t.config, deps: t.deps })).toEqual([])
})

it('names the version that is indexed', async () => {
  expect(await examine()).toEqual([
    { check: 'yente server', state: 'ok', detail: expect.stringContaining('has indexed sanctions:20') },
  ])
})

describe('finds, with its fix,', () => {
  const expectFinding = async (
    change: Partial<Config>,
    state: Finding['state'],
    detail: string,
  ): Promise<void> => {
    expect(await examine(change)).toEqual([
      {
        check: 'yente server',
        state,
        detail: expect.stringContaining(detail),
        fix: expect.stringMatching(/\.$/),
      },
    ])
  }

  it('an old version', async () => {
    index(new Date(Date.now() - 72 * hourMs))
    await expectFinding({}, 'warning', '72 hours old')
  })

  it('a server without the dataset', async () => {
    index(new Date(), 'peps')
    await expectFinding({}, 'failed', 'status 404')
  })

  it('a dataset that is not indexed', async () => {
    yente.datasets = [{ name: 'sanctions', version: '1', index_version: null }]
    await expectFinding({}, 'failed', 'has not indexed sanctions')
  })

  it.each([
    ['an algorithm that it does not know', { SANCTIONS_YENTE_ALGORITHM: 'guess' }, 'status 400'],
    [
      'a server that is not there',
      { SANCTIONS_YENTE_URL: 'http://127.0.0.1:1' },
      '127.0.0.1:1 cannot be used (ECONNREFUSED)',
    ],
  ])('%s', async (_title, change, detail) => {
    await expectFinding(change, 'failed', detail)
  })
})

it('warns about names that are sent without TLS in production', async () => {
  const [finding] = await examine({ SWITCHYARD_ENV: 'production' })
  expect(finding).toMatchObject({ state: 'warning', detail: expect.stringContaining('without TLS') })
})
