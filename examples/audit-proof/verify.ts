import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * `node verify.ts PROOF.json [--head HEAD.json]`: checks a proof of GET /v1/organizations/{org_id}/audit-log/{audit_id}/proof
 * without calling the service. HEAD.json is a stored block, as returned by GET …/audit-log/head: the proof then has
 * to lead to exactly that block. Prints the entry and exits with 0, or prints what does not match and exits with 1.
 */
interface Block {
  org_id: string
  block_no: number
  row_count: number
  root: string
  previous_hash: string
  block_hash: string
  sealed_at: string
}

interface Proof {
  audit_id: string
  canonical: string | null
  leaf_hash: string
  leaf_index: number
  path: { side: 'left' | 'right'; hash: string }[]
  block: Block
  chain: Block[]
}

const [leafPrefix, nodePrefix, blockPrefix] = [Buffer.from([0]), Buffer.from([1]), Buffer.from([2])]

const sha256 = (...parts: (Buffer | string)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** Canonical JSON: fields sorted by name, without spaces. */
const blockHash = ({ block_no, org_id, previous_hash, root, row_count, sealed_at }: Block): string =>
  sha256(blockPrefix, JSON.stringify({ block_no, org_id, previous_hash, root, row_count, sealed_at }))

function rootFrom({ leaf_hash, path }: Proof): string {
  let hash = leaf_hash
  for (const { side, hash: beside } of path)
    hash =
      side === 'left'
        ? sha256(nodePrefix, bytes(beside), bytes(hash))
        : sha256(nodePrefix, bytes(hash), bytes(beside))
  return hash
}

function* problemsOf(proof: Proof, head: Block | undefined): Generator<string> {
  if (proof.canonical === null)
    yield 'the proof has no entry: ask with a credential that may see personal data'
  else if (sha256(leafPrefix, proof.canonical) !== proof.leaf_hash)
    yield 'the entry does not have the hash of the leaf'
  if (proof.canonical !== null && JSON.parse(proof.canonical).audit_id !== proof.audit_id)
    yield 'the proof is of another entry'
  if (rootFrom(proof) !== proof.block.root) yield 'the path does not lead to the root of the block'
  let before: Block | undefined
  for (const block of [proof.block, ...proof.chain]) {
    if (blockHash(block) !== block.block_hash) yield `block ${block.block_no} does not have its hash`
    if (before && (block.previous_hash !== before.block_hash || block.block_no !== before.block_no + 1))
      yield `block ${block.block_no} does not continue block ${before.block_no}`
    before = block
  }
  if (!head) return
  const same = [proof.block, ...proof.chain].find(({ block_no }) => block_no === head.block_no)
  if (!same) yield `the proof does not reach block ${head.block_no}: ask with until_block=${head.block_no}`
  else if (same.block_hash !== head.block_hash || same.org_id !== head.org_id)
    yield `block ${head.block_no} is not the one that was kept`
}

/** The body of a response, or its `data`. */
const read = (path: string) => {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  return content.data ?? content
}

const { values, positionals } = parseArgs({
  options: { head: { type: 'string' } },
  allowPositionals: true,
})
const [file] = positionals
if (file === undefined) throw new Error('Usage: node verify.ts PROOF.json [--head HEAD.json]')
const proof: Proof = read(file)
const problems = [...problemsOf(proof, values.head === undefined ? undefined : read(values.head))]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length === 0)
  process.stdout.write(`${proof.canonical}\nis entry ${proof.leaf_index} of block ${proof.block.block_no}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
