import { describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { useApp } from '../../../../../test/app/test-app.ts'
import { useStarted } from '../../../../../test/app/use-started.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'
import type { SanctionsIndex } from '../track-index.ts'
import { versionIdOf } from './rules.ts'
import { startFakeYente } from './testing/fake-yente.ts'
import { createYenteScreening } from './track-dataset.ts'

const t = useApp({ env: { LOG_LEVEL: 'silent' } })
const yente = useStarted(startFakeYente, (fake) => fake.close())
const listed = { id: 'NK-1', schema: 'Person', properties: { name: ['Oluakin Nduezemi'] } }
const somebody = { name: 'Oluakin Nduezemi' }

const index = (version = '20260127125418-igl'): SanctionsIndex => {
  yente.entities = [listed]
  yente.catalog = 'answers'
  yente.search = 'answers'
  publish(version)
  const server = {
    url: yente.url,
    dataset: 'sanctions',
    apiKey: undefined,
    algorithm: 'best',
    threshold: 0.7,
    timeoutMs: 10_000,
  }
  return createYenteScreening({ ...t.deps, refreshEveryMs: 20 }, server)
}
const publish = (indexed: string | null): void => {
  yente.datasets = [{ name: 'sanctions', version: '20260301000000', index_version: indexed }]
}
const idOf = (version: string): string => versionIdOf('sanctions', `sanctions:${version}`)
const find = async (one: SanctionsIndex): Promise<string[]> =>
  (await one.find(somebody)).map(({ entry }) => entry.versionId)

describe('nobody is screened', () => {
  it('until the server has said what it has indexed', async () => {
    const one = index()
    expect([one.isLoaded(), one.inUse().versionIds]).toEqual([false, []])
    await expect(find(one)).rejects.toThrow('have not been read yet')
    await one.refresh()
    expect(one.isLoaded()).toBe(true)
    expect(await find(one)).toEqual([idOf('20260127125418-igl')])
  })

  it('while the server has not indexed the dataset, even if it had before', async () => {
    const one = index()
    await one.refresh()
    publish(null)
    await expect(one.refresh()).rejects.toThrow('has not indexed the dataset sanctions')
    await expect(find(one)).rejects.toThrow('have not been read yet')
    expect(one.inUse()).toEqual({ versionIds: [], publishedAt: null })
    publish('20260127125418-igl')
    await one.refresh()
    expect(await find(one)).toHaveLength(1)
  })

  it('while the server fails; the version in use remains', async () => {
    const one = index()
    await one.refresh()
    yente.search = 'fails'
    await expect(find(one)).rejects.toMatchObject({ status: 503 })
    yente.catalog = 'fails'
    await expect(one.refresh()).rejects.toMatchObject({ status: 503 })
    expect(one.inUse().versionIds).toEqual([idOf('20260127125418-igl')])
  })
})

it('people decide about a name without letters, which no server can compare', async () => {
  const one = index()
  await one.refresh()
  expect((await one.find({ name: '— — —' })).map(({ entry }) => entry.source)).toEqual(['script'])
})

describe('the lists in use', () => {
  it('are named by the version that is indexed, and not by the newest one there is', async () => {
    const one = index('20260127125418-igl')
    await one.refresh()
    expect(one.inUse()).toEqual({
      versionIds: [idOf('20260127125418-igl')],
      publishedAt: new Date('2026-01-27T12:54:18Z'),
    })
    publish('20260128000000-abc')
    await one.refresh()
    expect(one.inUse()).toEqual({
      versionIds: [idOf('20260128000000-abc')],
      publishedAt: new Date('2026-01-28T00:00:00Z'),
    })
    expect(one.uses(idOf('20260128000000-abc'))).toBe(true)
    expect(one.uses(idOf('20260127125418-igl'))).toBe(false)
  })

  it('are read again by themselves, also if the server was not there at the start', async () => {
    const one = index()
    yente.catalog = 'fails'
    const watching = await one.start()
    expect(one.isLoaded()).toBe(false)
    yente.catalog = 'answers'
    await expect.poll(() => one.isLoaded(), { timeout: defaultWaitMs }).toBe(true)
    publish('20260128000000-abc')
    await expect.poll(() => one.uses(idOf('20260128000000-abc')), { timeout: defaultWaitMs }).toBe(true)
    await watching.stop()
  })

  it('include a list that is loaded from a file, so that everybody is screened again by its run', async () => {
    const one = index()
    await one.refresh()
    const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Tamroz', last: 'QUDLAWI' }]))
    const { version } = await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
    expect(one.uses(version.versionId)).toBe(false)
    await one.refresh()
    expect(one.uses(version.versionId)).toBe(true)
    expect(one.inUse()).toEqual({
      versionIds: [idOf('20260127125418-igl'), version.versionId],
      publishedAt: version.publishedAt,
    })
    // The file itself is not searched.
    expect(await one.find({ name: 'Tamroz Qudlawi' })).toEqual([])
  })
})
