import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { compare, type CompareOptions, type Side } from './compare.ts'
import { serveInstallation, type ServedInstallation } from './serve-installation.ts'

const run = promisify(execFile)
const workspaceScope = '@switchyard'

/**
 * Compares this checkout with another commit: each has an installation of its own, which runs its own programs on its
 * own Postgres, and they are measured in turns. The one that is not measured stands still.
 */
export async function benchCompareCheckouts(ref: string, options: CompareOptions): Promise<void> {
  const { stdout } = await run('git', ['-C', repositoryDir, 'rev-parse', '--verify', `${ref}^{commit}`])
  const commit = stdout.trim()
  const scratch = await scratchDir()
  const directory = join(scratch.path, 'checkout')
  const served: ServedInstallation[] = []
  try {
    await run('git', ['-C', repositoryDir, 'worktree', 'add', '--detach', directory, commit])
    await provideModules(directory, options.print)
    const serve = async (name: string, checkout: string): Promise<Side> => {
      const installation = await serveInstallation(checkout)
      served.push(installation)
      return { name, installation }
    }
    const before = await serve(`${ref} (${commit.slice(0, 8)})`, directory)
    await compare([before, await serve('this checkout', repositoryDir)], options)
  } finally {
    await Promise.all(served.map((one) => one.stop()))
    await run('git', ['-C', repositoryDir, 'worktree', 'remove', '--force', directory]).catch(() => undefined)
    await scratch.remove()
  }
}

/** Postgres and the other programs that the installation starts, where they were fetched into the checkout. */
const toolchain = '.toolchain'

/** The same lockfile needs the same packages, so they are linked; otherwise they are installed. */
async function provideModules(directory: string, print: CompareOptions['print']): Promise<void> {
  const [own, other] = await Promise.all(
    [repositoryDir, directory].map((one) => readFile(join(one, 'package-lock.json'), 'utf8')),
  )
  if (existsSync(join(repositoryDir, toolchain)))
    await symlink(join(repositoryDir, toolchain), join(directory, toolchain))
  if (own === other) return linkModules(directory)
  print('its lockfile differs: installing its packages')
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory })
}

/** Packages of this repository are those of the other checkout, everything else is shared. */
async function linkModules(directory: string): Promise<void> {
  const [from, to] = [join(repositoryDir, 'node_modules'), join(directory, 'node_modules')]
  await mkdir(join(to, workspaceScope), { recursive: true })
  for (const name of await readdir(from))
    if (name !== workspaceScope) await symlink(join(from, name), join(to, name))
  for (const name of await readdir(join(from, workspaceScope))) {
    // They point to folders beside node_modules, so the same link leads into the other checkout.
    const target = await readlink(join(from, workspaceScope, name))
    await symlink(target, join(to, workspaceScope, name))
  }
}
