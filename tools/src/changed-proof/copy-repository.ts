import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'

const workspace = '@switchyard'
const cloneTimeoutMs = 120_000

/** The last commit of the repository in a folder of its own, with the installed packages. */
export async function copyRepository(root: string, copy: string): Promise<void> {
  const args = ['clone', '--quiet', '--depth', '1', `file://${root}`, copy]
  const cloned = await runCommand({ program: 'git', args, cwd: root, timeoutMs: cloneTimeoutMs })
  if (!cloned.isSuccess) throw new Error(`the repository was not copied: ${cloned.output}`)
  // The patterns of .gitignore are those of folders, and here these are links.
  appendFileSync(join(copy, '.git/info/exclude'), 'node_modules\n.toolchain\n')
  // The workspace packages are those of the copy; all others are those of the repository.
  mkdirSync(join(copy, 'node_modules', workspace), { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules')).filter((one) => one !== workspace))
    symlinkSync(join(root, 'node_modules', entry), join(copy, 'node_modules', entry))
  for (const member of readdirSync(join(root, 'node_modules', workspace)))
    symlinkSync(join(copy, member), join(copy, 'node_modules', workspace, member))
  if (existsSync(join(root, '.toolchain'))) symlinkSync(join(root, '.toolchain'), join(copy, '.toolchain'))
  const built = join(root, 'dashboard/dist')
  if (existsSync(built)) cpSync(built, join(copy, 'dashboard/dist'), { recursive: true })
}
