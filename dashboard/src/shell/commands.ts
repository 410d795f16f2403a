import { en } from '../messages/en.ts'
import { paths } from '../paths.ts'

/** A screen of the navigation. Its key follows `g`. */
export interface Destination {
  path: string
  label: string
  key: string
  group: string
  /** Whoever lacks it does not see the screen. */
  permission?: string
  feature?: string
}

const destinations: readonly Destination[] = [
  { path: paths.home, label: en.screens.home, key: 'h', group: en.navigation.overview },
  {
    path: paths.payments,
    label: en.screens.payments,
    key: 'p',
    group: en.navigation.money,
    permission: 'payments:read',
  },
  { path: paths.sessions, label: en.screens.sessions, key: 's', group: en.navigation.account },
]

interface Allowed {
  permissions: readonly string[]
  features: readonly string[]
}

export const destinationsFor = ({ permissions, features }: Allowed): Destination[] =>
  destinations.filter(
    ({ permission, feature }) =>
      (permission === undefined || permissions.includes(permission)) &&
      (feature === undefined || features.includes(feature)),
  )
