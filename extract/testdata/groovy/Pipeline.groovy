package com.example.ci

import groovy.transform.CompileStatic
import static java.util.Collections.emptyList

/**
 * Runs stages one after the other.
 */
class Pipeline extends Base implements Serializable {
    static final int LIMIT = 5
    private String name
    List<Stage> stages = []

    Pipeline(String name) {
        this.name = name
    }

    // Adds a stage.
    def add(Stage stage) {
        stages.add(stage)
        return this
    }

    private static boolean allowed(String user, int level = 1) {
        level < LIMIT && Users.find(user) != null
    }

    public void run() throws IOException {
        stages.each { stage ->
            stage.execute(name)
        }
    }
}

interface Stage {
    void execute(String name)
}

def call(Map config = [:]) {
    node('linux') {
        stage('Build') {
            sh 'make'
        }
    }
}
