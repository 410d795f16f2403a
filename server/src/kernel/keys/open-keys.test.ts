import { expect, it } from 'vitest'
import { createVault } from '../db/vault.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { toSecret } from '../../lib/crypto/secrets.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { keyServiceOf } from '../../../test/app/test-keys.ts'
import { openKeys } from './open-keys.ts'
import type { Keys } from './record.ts'

const t = useDatabase()
const right = Buffer.alloc(32, 1)
const open = (secretKey: Buffer): Promise<Keys> =>
  openKeys({
    db: t.db,
    log: createLog('silent'),
    adoptionMs: 60_000,
    secretKey: { listed: [toSecret(secretKey)], watchedFile: undefined },
    pepper: { listed: [toSecret(Buffer.alloc(32, 9))], watchedFile: undefined },
    kms: undefined,
    wrapsWith: 'local',
  })

it('a process with a wrong SECRET_KEY makes no key that closes the installation for the right one', async () => {
  await createVault(t.db, keyServiceOf(right)).seal(newId(), 'sample', 'sealed before the upgrade')
  const wrong = await open(Buffer.alloc(32, 2))
  expect(() => wrong.stable.current).toThrow('not loaded yet')
  await wrong.close()
  expect((await t.owner.query('select from installation_keys')).rowCount).toBe(0)
  const keys = await open(right)
  expect(keys.stable.current).toEqual(right)
  await keys.close()
})
