import { states } from '../messages/generated/texts.ts'
import { useIdentity } from '../shell/session.tsx'
import { useNamesById } from './member-names.ts'

const shownDigits = 8

/** People's names by id. People who are not members, such as the operator, are shown by the start of their id. */
export function usePeople(): (userId: string) => string {
  const { me } = useIdentity()
  const names = useNamesById()
  return (userId) => {
    const name = names?.get(userId) ?? userId.slice(0, shownDigits)
    return userId === me.user_id ? `${name} (${states.you})` : name
  }
}
