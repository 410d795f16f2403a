import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkAssertionReasons,
  checkEnums,
  checkRoutePaths,
  checkSqlPlaces,
  checkStoreSignatures,
} from './architecture/check-code.ts'
import {
  checkConnectorLengths,
  checkDomainFiles,
  checkFileLengths,
  checkFileNames,
  checkLintExceptions,
  checkLockfile,
  checkRegistryHosts,
  checkUnfinishedMarks,
} from './architecture/check-files.ts'
import {
  checkArrows,
  checkDomainCycles,
  checkEdgeLibraries,
  checkReexports,
  checkRelativeExtensions,
} from './architecture/check-imports.ts'
import { repositoryOf, type Repository } from './architecture/repository.ts'

export type Rule = (repository: Repository) => string[]

export const rules: Readonly<Record<string, Rule>> = {
  'imports follow the arrows of the tree': checkArrows,
  'domains do not import each other in a circle': checkDomainCycles,
  'only the edges know the libraries of HTTP and of the engine': checkEdgeLibraries,
  'relative imports carry their extension': checkRelativeExtensions,
  'nothing is re-exported': checkReexports,
  'SQL is only in stores': checkSqlPlaces,
  'store functions name the org': checkStoreSignatures,
  'paths are written in full': checkRoutePaths,
  'a type assertion says why': checkAssertionReasons,
  'there are no enums': checkEnums,
  'files are short': checkFileLengths,
  'connectors are short': checkConnectorLengths,
  'names are in kebab-case': checkFileNames,
  'every domain has the same file names': checkDomainFiles,
  'a lint exception says why': checkLintExceptions,
  'nothing is marked as unfinished': checkUnfinishedMarks,
  'the lockfile names no address': checkLockfile,
  'no file names a package registry': checkRegistryHosts,
}

export function readRepository(root: string): Repository {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return repositoryOf(files.filter((file) => !file.text.includes('\0')))
}
