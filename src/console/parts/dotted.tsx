import { Children, Fragment, type ReactNode } from 'react'

/** Short facts in one line, with a dot between them; what is missing leaves none. */
export const Dotted = ({ children }: { children: ReactNode }) =>
  Children.toArray(children).map((child, index) => (
    // What stands in a line changes with the line.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {/* It ends a line rather than begins the next. */}
      {index > 0 && '\u00A0· '}
      {child}
    </Fragment>
  ))
