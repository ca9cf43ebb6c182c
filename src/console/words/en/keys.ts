/** The list of keys. */
export const keys = {
  title: 'Keys that save time',
  space: 'Space bar',
  everywhere: {
    title: 'On every page',
    does: {
      find: 'Find a person, a group or a number',
      list: 'This list',
      toMessage: 'Go to the message that has just appeared',
      close: 'Close a window or a menu',
    },
  },
  lists: {
    title: 'In lists',
    does: {
      move: 'To the next or the previous line',
      ends: 'To the first or the last line',
      choose: 'Choose the line',
      open: 'Open the line',
    },
  },
  attendance: {
    title: 'When taking attendance',
    does: {
      mark: 'Present, absent, late, excused',
      note: 'A note',
      next: 'To the next student',
      save: 'Save',
    },
  },
  editing: {
    title: 'When changing something',
    does: {
      save: 'Save',
      saveLong: 'Save where there are several lines',
      takeBack: 'Leave it as it was',
    },
  },
}
