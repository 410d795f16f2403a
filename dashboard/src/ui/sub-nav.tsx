import type { ReactElement } from 'react'
import { NavLink } from 'react-router'
import styles from './parts.module.css'

interface SubNavProps {
  label: string
  links: readonly { to: string; label: string }[]
}

/** Links between related lists, shown below the heading of each list. */
export const SubNav = ({ label, links }: SubNavProps): ReactElement => (
  <nav className={styles.subNav} aria-label={label}>
    {links.map((link) => (
      <NavLink key={link.to} to={link.to} end className={styles.subLink}>
        {link.label}
      </NavLink>
    ))}
  </nav>
)
