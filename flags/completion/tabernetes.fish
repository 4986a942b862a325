# Completion of tabernetes in fish: tabernetes completion fish | source
complete -c tabernetes -a '(tabernetes __complete (commandline -opc)[2..] (commandline -ct))'
