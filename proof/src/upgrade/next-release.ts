import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'

type Edit = { file: string; from: string; to: string }

const folders = ['server', 'checkout', 'dashboard', 'sdk', 'simulator', 'stack', 'proof']
const listedBytesLimit = 50_000_000

/** The column that the next release adds and fills. */
export const addedColumn = 'upgrade_note'

/** What the next release does differently. The second edit changes the journal of a job, so neither version can resume the other's. */
const edits: readonly Edit[] = [
  {
    file: 'server/src/domains/payments/store.ts',
    from: '  payment_id: payment.paymentId,\n  user_id: payment.userId,\n',
    to: `  payment_id: payment.paymentId,\n  ${addedColumn}: 'next',\n  user_id: payment.userId,\n`,
  },
  {
    file: 'server/src/domains/payments/supervision/workflow.ts',
    from: "      run: (context, ids) =>\n        context.repeat('advance',",
    to: "      run: async (context, ids) => {\n        await context.untilDone('greet', async () => null)\n        return context.repeat('advance',",
  },
  {
    file: 'server/src/domains/payments/supervision/workflow.ts',
    from: '.nextPollMs),\n',
    to: '.nextPollMs)\n      },\n',
  },
]

/** Copies this release into a directory of its own, with another schema and another workflow. */
export function makeNextRelease(directory: string): void {
  const listed = execFileSync(
    'git',
    [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--',
      'package.json',
      'docs/openapi.json',
      ...folders,
    ],
    { cwd: repositoryDir, encoding: 'utf8', maxBuffer: listedBytesLimit },
  )
  for (const path of listed.split('\0').filter((name) => name !== '' && !name.endsWith('.test.ts'))) {
    const from = join(repositoryDir, path)
    if (!existsSync(from)) continue
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    cpSync(from, join(directory, path))
  }
  linkPackages(directory)
  for (const edit of edits) applyEdit(directory, edit)
  const migrations = join(directory, 'server/migrations')
  const last = Math.max(...readdirSync(migrations).map((name) => Number.parseInt(name, 10)))
  const file = `${String(last + 1).padStart(4, '0')}_upgrade_drill.sql`
  writeFileSync(join(migrations, file), `alter table payments add column ${addedColumn} text;\n`)
}

/** The copy resolves packages from the same files, but those of this repository from its own folders. */
function linkPackages(directory: string): void {
  const installed = join(repositoryDir, 'node_modules')
  const own = '@switchyard'
  mkdirSync(join(directory, 'node_modules', own), { recursive: true })
  for (const name of readdirSync(installed).filter((one) => one !== own && !one.startsWith('.')))
    symlinkSync(join(installed, name), join(directory, 'node_modules', name))
  for (const name of folders) symlinkSync(join(directory, name), join(directory, 'node_modules', own, name))
}

function applyEdit(directory: string, { file, from, to }: Edit): void {
  const path = join(directory, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2)
    throw new Error(`${file} no longer contains the text that the upgrade drill replaces:\n${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}
