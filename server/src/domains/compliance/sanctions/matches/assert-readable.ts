import { validationError } from '../../../../lib/errors.ts'
import { isUnreadable } from '../../../../lib/names/romanise.ts'
import type { ScreeningDeps, Subject } from './record.ts'

/** A name in a script that we cannot write in Latin letters would match nobody, so it is asked for in another one. */
export function assertReadable(
  { sanctions }: Pick<ScreeningDeps, 'sanctions'>,
  subjects: readonly Subject[],
): void {
  if (!sanctions.hasLists() || !subjects.some(({ person }) => isUnreadable(person.name))) return
  throw validationError(
    'name: cannot be compared with sanctions lists in this script. Write it in Latin letters.',
    [{ path: 'name', message: 'is in a script that cannot be compared with sanctions lists' }],
  )
}
