import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkAmounts,
  checkAssertionReasons,
  checkEnums,
  checkRoutePaths,
  checkSqlPlaces,
  checkStoreSignatures,
} from './architecture/check-code.ts'
import { checkDomainCycles, checkImportCycles } from './architecture/check-cycles.ts'
import { checkDomainFiles } from './architecture/check-domains.ts'
import { checkDurations } from './architecture/check-durations.ts'
import { checkUnusedExports } from './architecture/check-exports.ts'
import {
  checkConnectorLengths,
  checkFileLengths,
  checkFileNames,
  checkLintExceptions,
  checkLockIntegrity,
  checkLockfile,
  checkRegistryHosts,
  checkUnfinishedMarks,
} from './architecture/check-files.ts'
import {
  checkArrows,
  checkEdgeLibraries,
  checkFloors,
  checkReexports,
  checkRelativeExtensions,
} from './architecture/check-imports.ts'
import { checkMigrations } from './architecture/check-migrations.ts'
import { checkDeclaredPackages, checkPackagePaths } from './architecture/check-packages.ts'
import { checkTableOwners } from './architecture/check-tables.ts'
import { repositoryOf, type Repository } from './architecture/repository.ts'

type Rule = (repository: Repository) => string[]

export const rules: Readonly<Record<string, Rule>> = {
  'imports follow the arrows of the tree': checkArrows,
  'domains import domains on lower floors only': checkFloors,
  'domains do not import each other in a cycle': checkDomainCycles,
  'files do not import each other in a cycle': checkImportCycles,
  'packages import each other by name': checkPackagePaths,
  'every imported package is declared': checkDeclaredPackages,
  'every export is imported': checkUnusedExports,
  'each table is named by its owner': checkTableOwners,
  'only the edges know the libraries of HTTP and of the engine': checkEdgeLibraries,
  'relative imports carry their extension': checkRelativeExtensions,
  'nothing is re-exported': checkReexports,
  'SQL is only in stores': checkSqlPlaces,
  'store functions name the org': checkStoreSignatures,
  'paths are written in full': checkRoutePaths,
  'a type assertion says why': checkAssertionReasons,
  'there are no enums': checkEnums,
  'an amount never becomes a number': checkAmounts,
  'files are short': checkFileLengths,
  'connectors are short': checkConnectorLengths,
  'names are in kebab-case': checkFileNames,
  'every domain has the same file names, one level of sub-resources, and verb-noun operations':
    checkDomainFiles,
  'a lint exception says why': checkLintExceptions,
  'only timing tests assert a duration': checkDurations,
  'a migration leaves the running release at work': checkMigrations,
  'nothing is marked as unfinished': checkUnfinishedMarks,
  'the lockfile names no address': checkLockfile,
  'the lockfile has an integrity hash for every package': checkLockIntegrity,
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
