import { expect, test } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createLog } from '../../../lib/log.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { createSanctionsIndex } from './track-index.ts'

const t = useApp()
const somebody = { name: 'Brenash Cordalton' }

test('nobody is screened until the lists were read', async () => {
  const index = createSanctionsIndex(t.deps)
  expect(index.isLoaded()).toBe(false)
  expect(() => index.find(somebody)).toThrow('The sanctions lists have not been read yet.')
  await index.refresh()
  expect(index.isLoaded()).toBe(true)
  expect(index.find(somebody)).toEqual([])
})

test('lists that cannot be read at the start are read later', async () => {
  let isReachable = false
  const acrossOrgs: typeof t.deps.db.acrossOrgs = (work) =>
    isReachable ? t.deps.db.acrossOrgs(work) : Promise.reject(new Error('starting up'))
  const index = createSanctionsIndex({ db: { ...t.deps.db, acrossOrgs }, log: createLog('silent') })
  const watching = await index.start()
  expect(index.isLoaded()).toBe(false)
  isReachable = true
  await expect.poll(() => index.isLoaded(), { timeout: defaultWaitMs }).toBe(true)
  await watching.stop()
})
