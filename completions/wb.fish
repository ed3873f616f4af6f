complete --keep-order --exclusive --command wb --arguments "(COMPLETE=fish wb -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
