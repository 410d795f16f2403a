import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import type { DB } from '../../../../kernel/db/generated/schema.ts'
import { newId } from '../../../../lib/ids.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../../../test/app/test-app.ts'
import { exportHeadsAcrossOrgs, type ExportedHead } from './export-heads.ts'
import { canonicalText, leafHash, pathOf, rootOf } from './rules.ts'
import { sealEntries } from './seal-entries.ts'
import { verifyLogAcrossOrgs } from './verify-log.ts'

const t = useApp()
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
  for (let block = 0; block < 3; block++) {
    for (let entry = 0; entry < 7; entry++) await write()
    await sealEntries(t.deps)
  }
})

const write = async (): Promise<void> => {
  await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body: { name: newId() } })
}
const owner = (): Kysely<DB> => new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
const problemsIn = async (db: Kysely<DB>, exported: ExportedHead[] = []): Promise<string[]> =>
  (await verifyLogAcrossOrgs(db, exported)).flatMap(({ examples }) => examples.map(({ problem }) => problem))

/** Tampers as the owner of the database, who is bound by no grant, and returns what the audit then finds. */
async function foundAfter(statement: string, exported: ExportedHead[] = []): Promise<string[]> {
  const transaction = await owner().startTransaction().execute()
  try {
    await sql.raw(statement).execute(transaction)
    return await problemsIn(transaction, exported)
  } finally {
    await transaction.rollback().execute()
  }
}
const entries = async (): Promise<string[]> => {
  const { rows } = await t.owner.query<{ audit_id: string }>(
    'select audit_id from audit_log where org_id = $1 order by audit_id',
    [org.orgId],
  )
  return rows.map(({ audit_id }) => audit_id)
}
const listed = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ')

describe('the tree', () => {
  it('every leaf of a tree of any size leads to its root, and no other leaf does', () => {
    for (let size = 1; size <= 33; size++) {
      const leaves = Array.from({ length: size }, (_, index) => leafHash(`entry ${index}`))
      for (let index = 0; index < size; index++) {
        const path = pathOf(leaves, index)
        const climb = (leaf: Buffer) =>
          path.reduce(
            (hash, { side, hash: beside }) => rootOfTwo(side === 'left' ? [beside, hash] : [hash, beside]),
            leaf,
          )
        expect(climb(leaves[index]!)).toEqual(rootOf(leaves))
        expect(climb(leafHash('forged'))).not.toEqual(rootOf(leaves))
      }
    }
  })
  const rootOfTwo = ([left, right]: [Buffer, Buffer]): Buffer => rootOf([left, right])

  it('the text of an entry does not depend on the order of its keys', () => {
    expect(canonicalText({ b: [1, { d: null, c: 'é"' }], a: undefined })).toBe(
      canonicalText({ a: null, b: [1, { c: 'é"', d: null }] }),
    )
  })
})

describe('what the owner of the database changed by hand', () => {
  it('nothing is found where nothing was changed', async () => {
    await sealEntries(t.deps)
    expect(await problemsIn(owner())).toEqual([])
  })

  it.each([
    `action = 'member.view'`,
    `created_at = created_at + interval '1 millisecond'`,
    `after = jsonb_set(after, '{name}', '"x"')`,
    `user_agent = 'x'`,
  ])('a changed entry is named: set %s', async (change) => {
    const id = (await entries())[4]!
    const found = await foundAfter(`update audit_log set ${change} where audit_id = '${id}'`)
    expect(found).toEqual([expect.stringMatching(new RegExp(`^entry ${id} of block \\d was changed`))])
  })

  it('a removed entry is named, and so is each of the last ten', async () => {
    const ids = await entries()
    const [one] = await foundAfter(`delete from audit_log where audit_id = '${ids[9]}'`)
    expect(one).toMatch(`entry ${ids[9]} of block 2 was removed`)
    const last = ids.slice(-10)
    const found = await foundAfter(`delete from audit_log where audit_id in (${listed(last)})`)
    expect(found).toHaveLength(10)
    for (const id of last) expect(found.join('\n')).toContain(id)
  })

  it('a removed block, a changed header, a changed list and an entry past the trigger are named', async () => {
    const of = (no: number): string => `org_id = '${org.orgId}' and block_no = ${no}`
    const removed = await foundAfter(`delete from audit_blocks where ${of(2)}`)
    expect(removed).toContain('block 2 is missing')
    expect(await foundAfter(`update audit_blocks set root = sha256('x') where ${of(1)}`)).toEqual([
      'the header of block 1 was changed',
      'the list of entries of block 1 was changed',
    ])
    expect(
      await foundAfter(
        `update audit_blocks set leaf_hashes = set_byte(leaf_hashes, 0, get_byte(leaf_hashes, 0) # 1) where ${of(3)}`,
      ),
    ).toContain('the list of entries of block 3 was changed')
    const stray = newId()
    const found = await foundAfter(
      `alter table audit_log disable trigger queue_for_sealing;
       insert into audit_log (org_id, audit_id, user_id, credential, action, resource_type, resource_id, ip, request_id)
       values ('${org.orgId}', '${stray}', 'x', 'jwt', 'x.y', 'x', 'x', 'x', 'x')`,
    )
    expect(found).toEqual([`entry ${stray} is in no block and does not wait for one`])
  })

  it('the last block with its entries, or a chain written anew, only a head kept elsewhere shows', async () => {
    const heads = await exportHeadsAcrossOrgs(owner())
    const head = heads.find(({ org_id }) => org_id === org.orgId)!
    const truncate = `with cut as (delete from audit_blocks where org_id = '${org.orgId}' and block_no = ${head.block_no}
      returning audit_ids) delete from audit_log using cut where audit_id = any (cut.audit_ids)`
    expect(await foundAfter(truncate)).toEqual([])
    expect(await foundAfter(truncate, heads)).toEqual([
      `block ${head.block_no} of ${head.sealed_at} was exported and is missing: the end of the chain was removed`,
    ])
    const forged = heads.map((one) => (one === head ? { ...one, block_hash: '00'.repeat(32) } : one))
    expect(await foundAfter('select 1', forged)).toEqual([
      `block ${head.block_no} is not the one that was exported: the chain was written anew`,
    ])
  })

  it('an entry that was removed before it was sealed keeps its place as removed', async () => {
    const before = new Set(await entries())
    await write()
    const id = (await entries()).find((one) => !before.has(one))!
    const { rows } = await t.owner.query('delete from audit_log where audit_id = $1 returning *', [id])
    await sealEntries(t.deps)
    expect(await problemsIn(owner())).toEqual([expect.stringMatching(`entry ${id} of block \\d was removed`)])
    // Bringing it back later does not help: the block says that it was gone.
    await t.owner.query(`insert into audit_log select * from json_populate_record(null::audit_log, $1)`, [
      JSON.stringify(rows[0]),
    ])
    expect(await problemsIn(owner())).toContainEqual(
      expect.stringMatching(`entry ${id} of block \\d was changed`),
    )
    await t.owner.query('delete from audit_blocks where $1 = any (audit_ids)', [id])
    await t.owner.query('delete from audit_unsealed where audit_id = $1', [id])
    await t.owner.query('insert into audit_unsealed (org_id, audit_id) values ($1, $2)', [org.orgId, id])
    await sealEntries(t.deps)
  })
})

describe('sealing', () => {
  it('an entry that commits late with an older id is in a later block', async () => {
    const client = await t.owner.connect()
    const id = newId()
    try {
      await client.query('begin')
      await client.query(
        `insert into audit_log (org_id, audit_id, user_id, credential, action, resource_type, resource_id, ip, request_id)
         values ($1, $2, 'x', 'jwt', 'x.y', 'x', 'x', 'x', 'x')`,
        [org.orgId, id],
      )
      await write()
      await sealEntries(t.deps)
      await client.query('commit')
    } finally {
      client.release()
    }
    await sealEntries(t.deps)
    const { rows } = await t.owner.query<{ row_count: number }>(
      'select row_count from audit_blocks where $1 = any (audit_ids)',
      [id],
    )
    expect(rows).toEqual([{ row_count: 1 }])
    expect(await problemsIn(owner())).toEqual([])
  })

  it('many sealers at once write each entry into one block', async () => {
    for (let entry = 0; entry < 10; entry++) await write()
    await Promise.all(Array.from({ length: 5 }, () => sealEntries(t.deps)))
    expect(await problemsIn(owner())).toEqual([])
  })

  it('neither role of the processes can change or remove blocks', async () => {
    for (const statement of [sql`update audit_blocks set row_count = 1`, sql`delete from audit_blocks`]) {
      await expect(t.deps.db.inOrg(org.orgId, (tx) => statement.execute(tx.db))).rejects.toThrow(
        'permission denied',
      )
      await expect(t.deps.db.acrossOrgs((tx) => statement.execute(tx.db))).rejects.toThrow(
        'permission denied',
      )
    }
    const remove = sql`delete from audit_unsealed`
    await expect(t.deps.db.inOrg(org.orgId, (tx) => remove.execute(tx.db))).rejects.toThrow(
      'permission denied',
    )
  })
})

describe('the proof of an entry', () => {
  const path = (): string => `/v1/organizations/${org.orgId}/audit-log`
  const proofOf = (id: string, query = '', as = org.admin.token): Promise<CallAnswer> =>
    t.call('GET', `${path()}/${id}/proof${query}`, { as })
  const program = join(import.meta.dirname, '../../../../../../examples/audit-proof/verify.ts')

  /** The exit code and what the documented program printed. */
  async function check(proof: Json, head?: Json): Promise<{ code: number; text: string }> {
    const scratch = await scratchDir()
    try {
      const files = [join(scratch.path, 'proof.json'), join(scratch.path, 'head.json')] as const
      await writeFile(files[0], JSON.stringify(proof))
      await writeFile(files[1], JSON.stringify(head ?? {}))
      const args = [program, files[0], ...(head ? ['--head', files[1]] : [])]
      return await promisify(execFile)(process.execPath, args).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }) => ({ code, text: stderr }),
      )
    } finally {
      await scratch.remove()
    }
  }

  it('is checked offline against a head that was kept', async () => {
    const [id] = await entries()
    const { body: head } = await t.call('GET', `${path()}/head`, { as: org.admin.token })
    await write()
    await sealEntries(t.deps)
    const { body: proof } = await proofOf(id!, `?until_block=${head.data.block_no}`)
    expect(await check(proof, head)).toMatchObject({ code: 0, text: expect.stringContaining(id!) })
    const other = { ...head.data, block_hash: 'ab'.repeat(32) }
    expect(await check(proof, other)).toMatchObject({
      code: 1,
      text: expect.stringContaining('is not the one'),
    })
    const forged = { ...proof.data, canonical: proof.data.canonical.replace('"action":"', '"action":"not-') }
    expect(await check(forged)).toMatchObject({ code: 1, text: expect.stringContaining('hash of the leaf') })
  })

  it('409 until the entry is sealed, 404 for one of another organisation, no text without personal data', async () => {
    await write()
    const id = (await entries()).at(-1)!
    expect((await proofOf(id)).status).toBe(409)
    await sealEntries(t.deps)
    expect((await proofOf(id)).status).toBe(200)
    const other = await openOrganization(t)
    const foreign = `/v1/organizations/${other.orgId}/audit-log/${id}/proof`
    expect((await t.call('GET', foreign, { as: other.admin.token })).status).toBe(404)
    const person = await addPerson(t, org.orgId, 'org-admin')
    await t.owner.query(`update members set revocations = array['personal-data:read'] where user_id = $1`, [
      person.userId,
    ])
    expect((await proofOf(id, '', person.token)).body.data.canonical).toBeNull()
  })
})
