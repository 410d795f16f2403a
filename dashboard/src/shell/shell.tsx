import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState, type ReactElement } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { shell } from '../messages/generated/texts.ts'
import { lazyWhenIdle } from '../ui/lazy-when-idle.ts'
import mark from '../ui/mark.svg'
import { destinationsFor, type Destination } from './commands.ts'
import { useKeys } from './keys.ts'
import { useLive } from './live.ts'
import { SessionGate, useIdentity } from './session.tsx'
import styles from './shell.module.css'

/** Fetched once the page is shown, or when first opened. */
const OrganizationMenu = lazyWhenIdle(async () => (await import('./menus.tsx')).OrganizationMenu)
const AccountMenu = lazyWhenIdle(async () => (await import('./menus.tsx')).AccountMenu)
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }))

export const Shell = (): ReactElement => (
  <SessionGate>
    <SignedIn />
  </SessionGate>
)

function SignedIn(): ReactElement {
  const destinations = destinationsFor(useIdentity().me)
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'palette' | 'help'>()
  useLive(useQueryClient())
  useKeys({
    onPalette: () => setOpened('palette'),
    onHelp: () => setOpened('help'),
    onGo: (key) => {
      const target = destinations.find((one) => one.key === key)
      if (target) void Promise.resolve(navigate(target.path)).catch(() => undefined)
    },
  })
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {shell.skipToContent}
      </a>
      <header className={styles.side}>
        <div className={styles.brand}>
          <img src={mark} alt="" />
          {shell.product}
        </div>
        <Suspense fallback={<div className={styles.picker} />}>
          <OrganizationMenu />
        </Suspense>
        <button
          type="button"
          className={`${styles.picker} ${styles.search}`}
          onClick={() => setOpened('palette')}
        >
          {shell.palette.open}
          <kbd dir="ltr">⌘K</kbd>
        </button>
        <Navigation destinations={destinations.filter(({ isAction }) => isAction !== true)} />
        <Suspense fallback={<div className={styles.person} />}>
          <AccountMenu onHelp={() => setOpened('help')} />
        </Suspense>
      </header>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {opened === 'palette' && <Palette onClose={() => setOpened(undefined)} destinations={destinations} />}
        {opened === 'help' && <Help onClose={() => setOpened(undefined)} destinations={destinations} />}
      </Suspense>
    </div>
  )
}

function Navigation({ destinations }: { destinations: readonly Destination[] }): ReactElement {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const { current } = nav
    if (!current) return undefined
    // The navigation is a row on phones and a column elsewhere, so its scroll position is set again on resize.
    const observer = new ResizeObserver(() => showCurrentLink(current))
    observer.observe(current)
    return () => observer.disconnect()
  }, [pathname])
  return (
    <nav ref={nav} className={styles.groups} aria-label={shell.navigation.label}>
      {[...Map.groupBy(destinations, ({ group }) => group)].map(([group, members]) => (
        <div key={group}>
          <p className={styles.group}>{group}</p>
          {members.map(({ path, label }) => (
            <NavLink key={path} to={path} end={path === '/'} className={styles.link}>
              {label}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  )
}

/** Scrolls only the navigation, not the page. */
function showCurrentLink(nav: HTMLElement): void {
  const link = nav.querySelector('[aria-current="page"]')?.getBoundingClientRect()
  if (!link) return
  const box = nav.getBoundingClientRect()
  const isOutside =
    link.left < box.left || link.right > box.right || link.top < box.top || link.bottom > box.bottom
  if (!isOutside) return
  nav.scrollBy({
    left: link.left + link.width / 2 - box.left - box.width / 2,
    top: link.top + link.height / 2 - box.top - box.height / 2,
  })
}
